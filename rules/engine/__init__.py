"""The pure rules engine: plain data in, a sheet with its explanation out. Imports no Django."""
