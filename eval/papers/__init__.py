"""The reports of evaluations: each module's `report` makes one (see eval/section.py)."""
