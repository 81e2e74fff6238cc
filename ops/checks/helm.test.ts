import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUN_QUEUES } from '@clearframe/contract';
import { parse as render } from '@evertdespiegeleer/go-template';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHART = path.join(ROOT, 'ops/helm/clearframe');
const read = (file: string): string => readFileSync(path.join(CHART, file), 'utf8');
const COMPOSE = parse(readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });

const KINDS = {
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
};

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly ports?: readonly { readonly name: string }[];
  readonly securityContext: unknown;
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
}

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly [Container]; readonly [name: string]: unknown };
}

interface Rule {
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string } }[];
  readonly ports: readonly { readonly port: number }[];
}

interface Manifest {
  readonly kind: keyof typeof KINDS;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: of each kind another one, which its model validates.
  readonly spec: any;
}

type Values = Readonly<Record<string, unknown>>;

const merged = (base: Values, over: Values): Values => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(over).map(([name, value]) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [name, isObject ? merged((base[name] ?? {}) as Values, value as Values) : value];
    }),
  ),
});

/** What `helm template` prints. The chart has functions of Go's templates only. */
async function manifestsWith(values: Values): Promise<Manifest[]> {
  const context = { Release: { Name: 'photos' }, Values: merged(parse(read('values.yaml')), values) };
  const files = readdirSync(path.join(CHART, 'templates')).filter((file) => file.endsWith('.yaml'));
  const parts = read('templates/_pods.tpl');
  const texts = await Promise.all(files.map((file) => render(parts + read(`templates/${file}`), context)));
  return texts.flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      expect(document.errors).toEqual([]);
      return (document.toJS() as Manifest | null) ?? [];
    }),
  );
}

const podOf = ({ kind, spec }: Manifest): Pod | undefined => {
  if (kind === 'CronJob') return spec.jobTemplate.spec.template;
  return kind === 'Deployment' || kind === 'Job' ? spec.template : undefined;
};

const REQUIRED = { publicUrl: 'https://photos.example.org', image: { tag: '1.2.3' }, storage: { bucket: 'photos' } };
const EVERYTHING = {
  ...REQUIRED,
  backup: { to: 's3://backups/photos' },
  env: { LOG_LEVEL: 'a "quoted" text' },
  ingress: { enabled: true, className: 'nginx', host: 'photos.example.org', tlsSecret: 'photos-tls' },
  network: { monitoringNamespace: 'monitoring' },
};

let manifests: Manifest[];
let pods: (readonly [string, Pod])[];
beforeAll(async () => {
  manifests = await manifestsWith(EVERYTHING);
  pods = manifests.flatMap((manifest) => {
    const pod = podOf(manifest);
    return pod ? [[manifest.metadata.name, pod] as const] : [];
  });
});
const ofKind = (kind: Manifest['kind']): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);

describe('the chart', () => {
  it.each([
    ['with what is required', REQUIRED],
    ['with everything', EVERYTHING],
    ['without policies of the network', { ...REQUIRED, network: { enabled: false } }],
  ])('consists of valid objects of Kubernetes %s', async (_what, values) => {
    const all = await manifestsWith(values);
    expect(all.length).toBeGreaterThan(15);
    for (const manifest of all) expect(() => new KINDS[manifest.kind](manifest as never).validate()).not.toThrow();
    const names = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('refuses values without an address, a bucket and a version', () => {
    const schema = JSON.parse(read('values.schema.json'));
    expect(new RegExp(schema.properties.publicUrl.pattern).test(parse(read('values.yaml')).publicUrl)).toBe(false);
    expect(schema.properties.image.properties.tag.minLength).toBe(1);
    expect(schema.properties.storage.properties.bucket.minLength).toBe(3);
    expect(schema.properties.workers.items.properties.queues.items.enum.toSorted()).toEqual([...RUN_QUEUES].sort());
  });

  it('refuses variables that are no texts, which the templates would quote as something else', () => {
    const { definitions, properties } = JSON.parse(read('values.schema.json'));
    expect(definitions.texts.additionalProperties).toEqual({ type: 'string' });
    const values: Values = parse(read('values.yaml'));
    const parts = Object.keys(values).filter((name) => (values[name] as Values | null)?.env);
    expect(parts).toEqual(['api', 'web', 'worker']);
    for (const part of parts) expect(properties[part].$ref).toBe('#/definitions/part');
    for (const { $ref } of [properties.env, definitions.part.properties.env, properties.ingress.properties.annotations])
      expect($ref).toBe('#/definitions/texts');
  });

  it('has workers for each queue', () => {
    const variables = pods.flatMap(([, pod]) => pod.spec.containers[0].env);
    const queues = variables.flatMap(({ name, value }) => (name === 'WORKER_QUEUES' ? (value ?? '').split(',') : []));
    expect(queues.sort()).toEqual([...RUN_QUEUES].sort());
  });

  it('scales workers by the oldest wait where a bound is set', async () => {
    const [pool] = parse(read('values.yaml')).workers;
    const scaled = await manifestsWith({ ...REQUIRED, workers: [{ ...pool, oldestWait: '30' }] });
    const scaler = scaled.find(
      ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && /worker/.test(metadata.name),
    );
    expect(() => new HorizontalPodAutoscaler(scaler as never).validate()).not.toThrow();
    expect(scaler?.spec.metrics[1].external).toMatchObject({
      metric: { name: 'clearframe_runs_oldest_seconds', selector: { matchExpressions: [{ values: pool.queues }] } },
      target: { value: '30' },
    });
  });
});

describe('each pod', () => {
  it('runs unprivileged on a read-only root, with limits', () => {
    expect(pods).toHaveLength(7);
    for (const [name, { spec }] of pods) {
      const [{ securityContext, resources }] = spec.containers;
      expect([name, spec.automountServiceAccountToken, spec.securityContext]).toMatchObject([
        name,
        false,
        { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      ]);
      expect([name, securityContext]).toEqual([
        name,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      ]);
      expect(resources.limits.memory).toMatch(/^\d+(?:Mi|Gi)$/);
    }
  });

  it('has the variables of its service in docker-compose.yml, and no other', () => {
    const services = { api: 'api', web: 'web', worker: 'worker' } as const;
    const own = new Set(['NODE_ENV', 'CLEARFRAME_COOKIE_SECRET', 'CLEARFRAME_BACKUP_PASSPHRASE']);
    for (const [name, { metadata, spec }] of pods) {
      const kind = metadata.labels['clearframe/kind'] as keyof typeof services;
      const known = new Set([...Object.keys(COMPOSE.services[services[kind]].environment), ...own]);
      const names = spec.containers[0].env.map((variable) => variable.name);
      expect([name, names.filter((variable) => !known.has(variable))]).toEqual([name, []]);
      expect([name, new Set(names).size]).toEqual([name, names.length]);
    }
    const values = pods.map(([, { spec }]) => spec.containers[0].env.find((variable) => variable.name === 'LOG_LEVEL'));
    expect(values.filter(Boolean).every((variable) => variable?.value === 'a "quoted" text')).toBe(true);
  });

  it('of a worker knows the address of Redis and the keys of the bucket, and no other secret', () => {
    const workers = pods.filter(([name]) => name.includes('worker'));
    expect(workers).toHaveLength(2);
    for (const [, { spec }] of workers) {
      const secrets = spec.containers[0].env.filter(({ valueFrom }) => valueFrom).map(({ name }) => name);
      expect(secrets).toEqual(['REDIS_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
    }
  });

  it('that serves is asked for its health at a port that it has', () => {
    const serving = ofKind('Deployment').map((manifest) => [manifest.metadata.name, podOf(manifest)] as const);
    for (const [name, pod] of serving) {
      const container = pod?.spec.containers[0];
      const probes = (['startupProbe', 'readinessProbe', 'livenessProbe'] as const).map((probe) => container?.[probe]);
      expect([name, probes.map((probe) => probe?.httpGet.path)]).toEqual([name, ['/healthz', '/readyz', '/healthz']]);
      const ports = container?.ports?.map((port) => port.name);
      for (const probe of probes) expect(ports).toContain(probe?.httpGet.port);
    }
  });

  it('of a deployment has a budget of disruptions, and a scaler or a number', () => {
    const has = (labels: Readonly<Record<string, string>>, selector: Readonly<Record<string, string>>): boolean =>
      Object.entries(selector).every(([label, value]) => labels[label] === value);
    for (const { metadata, spec } of ofKind('Deployment')) {
      const { labels } = spec.template.metadata;
      expect(has(labels, spec.selector.matchLabels)).toBe(true);
      const budgets = ofKind('PodDisruptionBudget').filter((budget) => has(labels, budget.spec.selector.matchLabels));
      expect([metadata.name, budgets.length]).toEqual([metadata.name, 1]);
      const scalers = ofKind('HorizontalPodAutoscaler').filter((one) => one.spec.scaleTargetRef.name === metadata.name);
      expect([metadata.name, scalers.length === 1]).toEqual([metadata.name, spec.replicas === undefined]);
    }
    for (const { metadata, spec } of ofKind('Service'))
      expect([metadata.name, pods.filter(([, pod]) => has(pod.metadata.labels, spec.selector)).length]).toEqual([
        metadata.name,
        1,
      ]);
  });
});

it('migrates before the pods of a version start', () => {
  const [job] = ofKind('Job');
  expect(job?.metadata).toMatchObject({ annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' } });
  expect(job && podOf(job)?.spec.containers[0].command).toEqual(COMPOSE.services.migrate.command);
});

it('lets workers reach Redis and the bucket only, and pages no store', () => {
  const ports = (kind: string): number[] => {
    const policy = ofKind('NetworkPolicy').find(({ spec }) => spec.podSelector.matchLabels['clearframe/kind'] === kind);
    return policy?.spec.egress.flatMap((rule: Rule) => rule.ports.map(({ port }) => port));
  };
  expect(ports('worker')).toEqual([6379, 443]);
  expect(ports('web')).toEqual([4000, 443, 443]);
  expect(ports('api')).toEqual(expect.arrayContaining([5432, 6379]));
  const [everywhere] = ofKind('NetworkPolicy').filter(({ metadata }) => metadata.name === 'photos');
  expect(everywhere?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(everywhere?.spec.egress.flatMap((rule: Rule) => rule.ports.map(({ port }) => port))).toEqual([53, 53]);
});
