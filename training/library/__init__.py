"""The library: scenarios that instructors author, review and publish."""
