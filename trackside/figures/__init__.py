"""Charts as SVG text, in viewBox coordinates: one unit is one pixel at natural size."""
