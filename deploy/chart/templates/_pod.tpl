{{/* Labels by which a role's pods are found. Takes (dict "root" $ "role" "api"). */}}
{{- define "slipway.selector" -}}
app.kubernetes.io/name: slipway
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "slipway.labels" -}}
{{ include "slipway.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "slipway.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/*
The environment of a process. In the pod itself and not in a ConfigMap: the job runs before one would be there, and a changed setting
replaces the pods.
*/}}
{{- define "slipway.environment" -}}
{{- $root := .root -}}
{{- $settings := dict
  "PUBLIC_URL" .root.Values.publicUrl
  "HOST" "::"
  "PORT" "3000"
  "DRIVER" "kubernetes"
  "MIGRATIONS" "job"
  "KUBERNETES_NAMESPACE" .root.Values.workspaces.namespace
  "KUBERNETES_CONTROL_NAMESPACE" .root.Release.Namespace
  "WORKSPACE_IMAGES" .root.Values.workspaces.images
-}}
{{- if .root.Values.workspaces.pullSecrets }}
{{- $_ := set $settings "KUBERNETES_PULL_SECRETS" (join "," .root.Values.workspaces.pullSecrets) }}
{{- end }}
{{- if ne .role "migrate" }}
{{- $_ := set $settings "ROLES" .role }}
{{- $_ := set $settings "DRAIN_SECONDS" (.root.Values.drainSeconds | int | toString) }}
{{- $_ := set $settings "DATABASE_POOL_MAX" ((index .root.Values .role).databasePoolMax | int | toString) }}
{{- end }}
{{- if eq .role "worker" }}
{{- $_ := set $settings "GATEWAY_URL" (printf "http://%s-gateway.%s.svc:3000" .root.Release.Name .root.Release.Namespace) }}
{{- end }}
{{- if .root.Values.ingress.enabled }}
{{- $_ := set $settings "TRUSTED_PROXY_HOPS" "1" }}
{{- end }}
{{- if or .root.Values.certificateAuthority.configMap .root.Values.certificateAuthority.secret }}
{{- $_ := set $settings "NODE_EXTRA_CA_CERTS" (printf "/run/slipway/authority/%s" .root.Values.certificateAuthority.key) }}
{{- end }}
{{- if .root.Values.plans.configMap }}
{{- $_ := set $settings "PLANS_FILE" (printf "/run/slipway/plans/%s" .root.Values.plans.key) }}
{{- end }}
{{- range $setting, $_secret := .root.Values.secrets }}
{{- $_ := set $settings (printf "%s_FILE" $setting) (printf "/run/slipway/secrets/%s" $setting) }}
{{- end }}
{{- range $name, $value := merge (dict) .root.Values.settings $settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- if and .root.Values.metrics.enabled (ne .role "migrate") }}
- name: METRICS_PORT
  value: "9464"
- name: METRICS_HOST
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
{{- end }}
{{- end }}

{{/* What every pod of the release has in common: no rights, a read-only root, and secrets as files. */}}
{{- define "slipway.pod" -}}
enableServiceLinks: false
automountServiceAccountToken: {{ eq .role "worker" }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10002
  runAsGroup: 10002
  fsGroup: 10002
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "slipway.container" -}}
image: {{ include "slipway.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env: {{- include "slipway.environment" . | nindent 2 }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
  - { name: secrets, mountPath: /run/slipway/secrets, readOnly: true }
  {{- if or .root.Values.certificateAuthority.configMap .root.Values.certificateAuthority.secret }}
  - { name: authority, mountPath: /run/slipway/authority, readOnly: true }
  {{- end }}
  {{- if .root.Values.plans.configMap }}
  - { name: plans, mountPath: /run/slipway/plans, readOnly: true }
  {{- end }}
{{- end }}

{{- define "slipway.volumes" -}}
- name: data
  {{- $data := .root.Values.worker.data }}
  {{- if and (eq .role "worker") $data.storageClass }}
  ephemeral:
    volumeClaimTemplate:
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: {{ $data.storageClass }}
        resources: { requests: { storage: {{ $data.size }} } }
  {{- else }}
  emptyDir: { sizeLimit: {{ eq .role "worker" | ternary $data.size "1Gi" }} }
  {{- end }}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $setting, $secret := .root.Values.secrets }}
      - secret:
          name: {{ $secret.name }}
          items: [{ key: {{ $secret.key | quote }}, path: {{ $setting }} }]
      {{- end }}
{{- with .root.Values.certificateAuthority }}
{{- if .configMap }}
- name: authority
  configMap: { name: {{ .configMap }} }
{{- else if .secret }}
- name: authority
  secret: { secretName: {{ .secret }}, items: [{ key: {{ .key | quote }}, path: {{ .key | quote }} }] }
{{- end }}
{{- end }}
{{- with .root.Values.plans.configMap }}
- name: plans
  configMap: { name: {{ . }} }
{{- end }}
{{- end }}
