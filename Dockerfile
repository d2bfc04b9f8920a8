# The official PostgreSQL image with uidext.
#
#   docker build --build-arg PG_MAJOR=18 --tag postgres-uidext .
#
# Or share and lib alone, which a server finds by extension_control_path (18+):
#
#   docker build --build-arg PG_MAJOR=18 --target extension --tag uidext-18 .
#
# The compiler stays behind in the first stage.
ARG PG_MAJOR=18

FROM postgres:${PG_MAJOR} AS build
# Nothing is pinned or cleaned up: this stage is thrown away.  The image sets PG_MAJOR.
RUN apt-get update && \
    apt-get install --yes --no-install-recommends gcc libc6-dev make "postgresql-server-dev-$PG_MAJOR"
COPY . /uidext
# tap/servers/control_path does the second
RUN make -C /uidext clean all && \
    make -C /uidext DESTDIR=/stage install && \
    make -C /uidext DESTDIR=/extension DOCS= datadir=/share pkglibdir=/lib with_llvm=no install

FROM scratch AS extension
COPY --from=build /extension /

FROM postgres:${PG_MAJOR}
# library, bitcode for the JIT compiler, control file and scripts
COPY --from=build /stage /
