"""Pagination."""

from typing import Any

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    page_size = 25
    page_size_query_param = "size"
    max_page_size = 100

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Add the minimum and maximum, which the library leaves out."""
        limits = {self.page_query_param: {"minimum": 1}, self.page_size_query_param: {"minimum": 1, "maximum": 100}}
        return [
            part | {"schema": part["schema"] | limits[part["name"]]}
            for part in super().get_schema_operation_parameters(view)
        ]
