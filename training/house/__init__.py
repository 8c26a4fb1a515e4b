"""The casino ("house"): its name, signatories and logo, and its rulings. Edited in `exams.house_office`."""
