"""The log of every act that matters: append-only, each entry sealed by the one before."""
