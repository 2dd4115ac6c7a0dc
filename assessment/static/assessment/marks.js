// The mark of a judgment.

/** The grade as a number, or the reason for giving none. */
export const markOf = (fields) => ("grade" in fields ? Number(fields.grade) : fields.reason);
