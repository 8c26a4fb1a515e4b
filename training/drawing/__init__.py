"""Tables drawn for the browser: `table_view` says where everything lies, `templates/table/table.html` draws it."""

from training.drawing.parts import TableView
from training.drawing.table import table_view

__all__ = ["TableView", "table_view"]
