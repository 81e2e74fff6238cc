import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = path.join(ROOT, 'ops/monitoring');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const run = promisify(execFile);
const works = (command: string): Promise<boolean> =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  );

/** On the PATH, or unpacked from Debian's package: installing that would start a server. */
async function findPromtool(): Promise<string> {
  const cache = path.join(ROOT, 'node_modules/.cache/clearframe/prometheus');
  const unpacked = path.join(cache, 'usr/bin/promtool');
  for (const command of ['promtool', unpacked]) if (await works(command)) return command;
  await mkdir(cache, { recursive: true });
  const download = 'apt-get download prometheus || (apt-get update && apt-get download prometheus)';
  await run('sh', ['-c', `(${download}) && dpkg -x prometheus_*.deb . && rm prometheus_*.deb`], { cwd: cache });
  return unpacked;
}

let promtool: (...args: string[]) => Promise<string>;
beforeAll(async () => {
  const command = await findPromtool();
  promtool = (...args) =>
    run(command, args, { cwd: FOLDER }).then(
      () => '',
      ({ message, stdout }) => `${message}${stdout}`,
    );
});

const RULES = read('ops/monitoring/rules.yml');
const allOf = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);
const DASHBOARD = read('ops/monitoring/grafana/clearframe.json');

/** Names of the product's metrics, in its sources. */
const SOURCES = ['api/src', 'worker/src', 'web/server'].flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT }),
);
const KNOWN = new Set(SOURCES.flatMap((file) => allOf(/'(clearframe_\w+)'/g, read(file))));
const metricsIn = (text: string): string[] => [
  ...new Set(allOf(/\b(clearframe_\w+)/g, text).map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))),
];

describe('the alert rules', () => {
  it('are valid, and each fires at its bound and not below', async () => {
    expect(await promtool('check', 'rules', 'rules.yml')).toBe('');
    expect(await promtool('test', 'rules', 'rules.test.yml')).toBe('');
  });

  it('have a runbook each, and each runbook has an alert', () => {
    const named = allOf(/- alert: (\w+)/g, RULES).map((name) => `docs/runbooks/${name}.md`);
    expect(allOf(/runbook: (\S+)/g, RULES)).toEqual(named);
    expect(named.toSorted()).toEqual(globSync('docs/runbooks/*.md', { cwd: ROOT }).sort());
  });

  it('and the dashboard read metrics that the product has, and series that the rules record', () => {
    const used = metricsIn(`${RULES}${DASHBOARD}`);
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !KNOWN.has(name))).toEqual([]);
    const recorded = new Set(allOf(/- record: (\S+)/g, RULES));
    expect(allOf(/(clearframe:\w+:\w+)/g, `${RULES}${DASHBOARD}`).filter((name) => !recorded.has(name))).toEqual([]);
  });

  it('and the configuration of Prometheus is valid', async () => {
    expect(await promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toBe('');
  });
});
