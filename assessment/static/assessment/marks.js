// The mark of a judgment.

const NOMINAL = "nominal"; // the answer beside the grades, perhaps with a reason after a colon

/** The grade as a number, or the answer beside the grades, or the reason for giving none. */
export const markOf = (fields) => ("grade" in fields ? Number(fields.grade) : fields.reason);

/** Whether a mark is the answer beside the grades. */
export const isNominal = (mark) => typeof mark === "string" && mark.startsWith(NOMINAL);

/** A mark in words: the grade, the answer beside the grades by its `name`, or `others`. */
export function inWords(mark, name, others) {
  if (typeof mark === "number") return mark;
  return isNominal(mark) && name ? name + mark.slice(NOMINAL.length) : others;
}
