"""The chemin de fer cloth."""
