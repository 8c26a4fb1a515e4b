"""The version of the engine: it changes whenever the same arguments would give another scenario or ruling."""

VERSION = "1.1.0"
