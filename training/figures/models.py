"""Running counts, updated by every mark, so that pages need not add up answers."""

from django.db import models

from training.people.models import User


class Tally(models.Model):
    """The number of answers, of perfect ones, and the points."""

    answers = models.PositiveIntegerField(default=0)
    perfect = models.PositiveIntegerField(default=0)
    points = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    seconds = models.PositiveBigIntegerField(default=0)

    class Meta:
        abstract = True


class TopicTally(Tally):
    """One trainee in one topic."""

    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="topic_tallies")
    rulebook = models.CharField(max_length=64)
    topic = models.CharField(max_length=64)
    last_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trainee", "rulebook", "topic"], name="one_tally_of_a_topic")]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.rulebook} {self.topic}"


class DayTally(Tally):
    """One trainee on one day of their own time zone."""

    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="day_tallies")
    day = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trainee", "day"], name="one_tally_of_a_day")]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.day}"


class RuleTally(Tally):
    """One rule over all trainees."""

    rulebook = models.CharField(max_length=64)
    cite = models.CharField(max_length=32)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rulebook", "cite"], name="one_tally_of_a_rule")]

    def __str__(self) -> str:
        return f"{self.rulebook} {self.cite}"


class ItemTally(Tally):
    """One item over all trainees: a version in the library, or a topic at a difficulty for generated scenarios.

    The sums are for the correlation of the item with each trainee's other results: `share` is the share of points of
    this answer, `ability` the share in all earlier answers of the trainee, and `compared` the number of answers for
    which that is known.
    """

    item = models.CharField(max_length=160, unique=True)
    compared = models.PositiveIntegerField(default=0)
    share_sum = models.FloatField(default=0)
    share_squares = models.FloatField(default=0)
    ability_sum = models.FloatField(default=0)
    ability_squares = models.FloatField(default=0)
    product_sum = models.FloatField(default=0)

    def __str__(self) -> str:
        return self.item


class WrongAnswer(models.Model):
    """A wrong answer to a question of an item, and how often it was given."""

    item = models.CharField(max_length=160)
    question = models.CharField(max_length=64)
    given = models.CharField(max_length=300)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "question", "given"], name="one_count_of_a_wrong_answer")
        ]

    def __str__(self) -> str:
        return f"{self.item} {self.question}: {self.given}"
