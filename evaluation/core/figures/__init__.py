"""What the charts draw, in viewBox coordinates: numbers and path strings, no markup and no colours.

One unit is one pixel at natural size. A series is a number from 1; the style sheet gives each its colour and
`marks` its shape, so that colour never tells alone. Coordinates are rounded to a tenth of a pixel.
"""
