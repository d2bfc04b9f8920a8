# The official PostgreSQL image with uidext.
#
#   docker build --build-arg PG_MAJOR=18 --tag postgres-uidext .
#
# The compiler stays behind in the first stage.
ARG PG_MAJOR=18

FROM postgres:${PG_MAJOR} AS build
# Nothing is pinned or cleaned up: this stage is thrown away.  The image sets PG_MAJOR.
RUN apt-get update && \
    apt-get install --yes --no-install-recommends gcc libc6-dev make "postgresql-server-dev-$PG_MAJOR"
COPY . /uidext
RUN make -C /uidext clean all && \
    make -C /uidext DESTDIR=/stage install

FROM postgres:${PG_MAJOR}
# library, bitcode for the JIT compiler, control file and scripts
COPY --from=build /stage /
