{{/* Parts of pods, indented for their places: the chart has functions of Go's templates only, so that tests render it. */}}

{{- define "pod" }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      {{- with .Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      volumes:
        - { name: data, emptyDir: {} }
        - { name: tmp, emptyDir: {} }
{{- end }}

{{- define "container" }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "variables" }}
            - { name: CLEARFRAME_ENV, value: production }
            - { name: NODE_ENV, value: production }
            {{- range $name, $value := .Values.env }}
            - { name: {{ $name }}, value: {{ printf "%q" $value }} }
            {{- end }}
{{- end }}

{{- define "storage" }}
            - { name: STORAGE_DRIVER, value: s3 }
            - { name: S3_BUCKET, value: {{ printf "%q" .Values.storage.bucket }} }
            - { name: S3_REGION, value: {{ printf "%q" .Values.storage.region }} }
            - { name: S3_ENDPOINT, value: {{ printf "%q" .Values.storage.endpoint }} }
            - { name: S3_FORCE_PATH_STYLE, value: "{{ .Values.storage.forcePathStyle }}" }
{{- end }}

{{- define "api-variables" }}
            - { name: PUBLIC_URL, value: {{ printf "%q" .Values.publicUrl }} }
            - { name: S3_PUBLIC_ENDPOINT, value: {{ printf "%q" .Values.storage.publicEndpoint }} }
            {{- range $name, $value := .Values.api.env }}
            - { name: {{ $name }}, value: {{ printf "%q" $value }} }
            {{- end }}
            {{- $secret := .Values.secretName }}
            {{- range .Values.api.secrets }}
            - { name: {{ . }}, valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }} } } }
            {{- end }}
            {{- range .Values.api.optionalSecrets }}
            - { name: {{ . }}, valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }}, optional: true } } }
            {{- end }}
{{- end }}
