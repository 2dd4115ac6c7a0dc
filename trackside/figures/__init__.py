"""Layout of the charts in viewBox coordinates: numbers and path strings, without markup and colours.

One unit is one pixel at natural size. A series is a number from 1; the style sheet defines its colour and
`marks` its shape, so that colour is never the only cue. Coordinates are rounded to a tenth of a pixel.
"""
