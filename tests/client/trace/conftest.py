"""The same real hub as for plain clients."""

from tests.client.plain.conftest import hub as hub
