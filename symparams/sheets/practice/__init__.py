"""Practice on paper: questions, booklets, exams."""
