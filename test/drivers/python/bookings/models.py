from django.db import models

from .fields import GenIuid, GenUuidv7, IuidField, ServerUuidField, Uuidv7, made_by_server


class Booking(models.Model):
    id = ServerUuidField(**made_by_server(GenUuidv7))
    guest = models.TextField()


class Ride(models.Model):
    id = IuidField(**made_by_server(GenIuid))
    fare = models.IntegerField()


class Visit(models.Model):
    id = ServerUuidField(**made_by_server(Uuidv7))
    guest = models.TextField()
