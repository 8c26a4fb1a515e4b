"""The banca francesa cloth."""
