# One static binary on an empty image: docker build -t broadsheet --build-arg VERSION=v1.2.3 .
# It needs certificates of authorities (for the payment provider and the mail server) and nothing else: pages, words,
# migrations and time zones are part of it.

FROM node:22-bookworm-slim AS frontend
WORKDIR /src
COPY frontend/package.json frontend/package-lock.json frontend/
RUN npm --prefix frontend ci --ignore-scripts --no-fund --no-audit
COPY locales locales
COPY platform platform
COPY frontend frontend
RUN npm --prefix frontend run build

FROM golang:1.26-bookworm AS program
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=frontend /src/frontend/dist frontend/dist
ARG VERSION=development
RUN CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags="-s -w -X main.version=${VERSION}" \
    -o /out/broadsheet ./cmd/broadsheet
RUN install -d -m 0755 /out/root/etc/ssl/certs /out/root/usr/bin && \
    cp /etc/ssl/certs/ca-certificates.crt /out/root/etc/ssl/certs/ && \
    cp /out/broadsheet /out/root/usr/bin/ && install -d -m 0755 /out/root/usr/share/doc/broadsheet && \
    /out/broadsheet version --licenses >/out/root/usr/share/doc/broadsheet/licenses.txt && \
    install -d -m 1777 /out/root/tmp && install -d -m 0750 -o 65532 -g 65532 /out/root/data/media

FROM scratch
COPY --from=program /out/root /
# Readers reach serve on 8080, operators and probes on 9090.
ENV BROADSHEET_WEB_LISTEN=0.0.0.0:8080 BROADSHEET_WEB_ADMIN=0.0.0.0:9090 \
    BROADSHEET_DATA_DIR=/data BROADSHEET_LOG_FORMAT=json
VOLUME /data/media
USER 65532:65532
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/broadsheet"]
CMD ["serve"]
