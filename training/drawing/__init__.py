"""Tables drawn for the browser: `table_view` places everything, `templates/table/table.html` draws it."""

from training.drawing.drawing import Drawing
from training.drawing.scene import Said
from training.drawing.table import ending, table_after, table_view

__all__ = ["Drawing", "Said", "ending", "table_after", "table_view"]
