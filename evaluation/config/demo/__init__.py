"""The demo's computed world: AToMiC in miniature, drawn, written, retrieved and graded from one seed."""
