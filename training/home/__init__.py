"""The home page, mails about waiting work, and what phones need to install the site."""
