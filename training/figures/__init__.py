"""Running counts that keep pages fast however many answers there are."""
