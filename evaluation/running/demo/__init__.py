"""The demo's synthetic world: a miniature AToMiC, drawn, written, retrieved and graded from one seed."""
