"""kombu's RabbitMQ transport, but it retries when access is refused. Loaded only if used."""

from amqp.exceptions import AccessRefused, NotAllowed
from kombu.transport import pyamqp


class Transport(pyamqp.Transport):
    """Retries a refused password or virtual host, since it may be fixed while a worker runs."""

    recoverable_connection_errors = (*pyamqp.Transport.recoverable_connection_errors, AccessRefused, NotAllowed)
