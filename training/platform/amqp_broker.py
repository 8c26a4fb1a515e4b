"""RabbitMQ as kombu knows it, but patient with refusals. Loaded only where it is used."""

from amqp.exceptions import AccessRefused, NotAllowed
from kombu.transport import pyamqp


class Transport(pyamqp.Transport):
    """A password or virtual host that is refused may be put right while a worker runs: it says so and tries again."""

    recoverable_connection_errors = (*pyamqp.Transport.recoverable_connection_errors, AccessRefused, NotAllowed)
