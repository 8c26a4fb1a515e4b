"""Code that every package uses: errors, guards, pending work and its brokers, sealing, text, spreadsheets, uploads."""
