# Builds the binary, and an image that holds nothing but it. Works with Docker,
# Podman and Buildah; nothing here needs a shell in the final image.
#   docker build --pull --build-arg VERSION=1.2.3 -t tectonic .
# The tag names the language and not its patch, so that --pull brings fixes.
FROM golang:1.26 AS build
WORKDIR /source
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=0.1.0-dev
# Without cgo the binary needs no C library, so that scratch can hold it.
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w -X tectonic/internal/app.Version=${VERSION}" -o /tectonic ./cmd/tectonic \
 && mkdir -p -m 0700 /own/data /own/tmp

FROM scratch
# Certificates, for error reports and metadata documents of assistants. Time
# zones are linked into the binary.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
# The folder of the data, and the one in which exports are written and uploads
# wait. Both belong to the user below, and to nobody else.
COPY --from=build --chown=65532:65532 /own/ /
COPY --from=build /tectonic /tectonic
# A number and not a name, since there is no list of users.
USER 65532:65532
# PORT and not TECTONIC_LISTEN, so that a platform which sets PORT is obeyed; the
# program listens on 0.0.0.0 then, and the health check asks the same port.
ENV TECTONIC_ENV=production TECTONIC_DATA=/data PORT=9292
# The embedded database, and the secrets that are made for it once.
VOLUME /data
EXPOSE 9292
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/tectonic", "health"]
ENTRYPOINT ["/tectonic"]
CMD ["serve"]
