import { parseArgs } from 'node:util';
import type { EntityManager } from 'typeorm';
import { ExperimentDefinition, flagsSetBy, type Segment } from '../experiments/definition.js';
import { type ExperimentRow, ExperimentsRepository } from '../experiments/experiments.repository.js';
import { VisitorsRepository } from '../experiments/visitors.repository.js';
import { type Command, table, UsageError } from './command.js';

function describe({ id, weight, flags }: Segment, total: number): string {
  const share = `${Math.round((100 * weight) / total)} %`;
  const changes = Object.entries(flags).map(([flag, value]) => ` ${flag}=${JSON.stringify(value)}`);
  return `${id} ${share}${changes.join('')}`;
}

const describeAll = (segments: readonly Segment[]): string => {
  const total = segments.reduce((sum, { weight }) => sum + weight, 0);
  return segments.map((segment) => describe(segment, total)).join('; ');
};

const list: Command = {
  name: 'experiments list',
  usage: '',
  summary: 'list experiments with their segments',
  async run(_args, { database }) {
    const rows = (await new ExperimentsRepository(database).list()).map(({ id, state, name, segments }) => [
      id,
      state,
      name,
      describeAll(segments),
    ]);
    return table([['ID', 'STATE', 'NAME', 'SEGMENTS'], ...rows]);
  },
};

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--segment is no JSON: ${text}`);
  }
}

function definitionIn(args: readonly string[]): ExperimentDefinition {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      name: { type: 'string' },
      description: { type: 'string', default: '' },
      segment: { type: 'string', multiple: true, default: [] },
    },
    allowPositionals: true,
  });
  const [id] = positionals;
  const definition = ExperimentDefinition.safeParse({
    id,
    name: values.name ?? id,
    description: values.description,
    segments: values.segment.map(jsonIn),
  });
  if (definition.success) return definition.data;
  const reasons = definition.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new UsageError(reasons.join('\n'));
}

const create: Command = {
  name: 'experiments create',
  usage: '<id> [--name <text>] [--description <text>] --segment <json>...',
  summary: `create a draft; a segment is {"id": "short", "weight": 50, "flags": {"<flag>": <value>}}`,
  async run(args, { database, audit, actor }) {
    const definition = definitionIn(args);
    const experiments = new ExperimentsRepository(database);
    await database.transaction(async (manager) => {
      await experiments.lock(manager);
      if (await experiments.find(manager, definition.id)) throw new UsageError(`${definition.id} exists already`);
      const row: ExperimentRow = {
        ...definition,
        state: 'draft',
        createdAt: new Date(),
        startedAt: null,
        stoppedAt: null,
      };
      await experiments.insert(manager, row);
      await audit.record({ actor, action: 'experiments.create', details: definition }, manager);
    });
    return `created ${definition.id}: ${describeAll(definition.segments)}`;
  },
};

/** @throws UsageError when a running experiment sets one of the flags: their effects could not be distinguished */
async function requireFreeFlags(
  experiments: ExperimentsRepository,
  manager: EntityManager,
  { id, segments }: ExperimentRow,
): Promise<void> {
  const flags = flagsSetBy(segments);
  for (const other of await experiments.listOtherRunning(manager, id)) {
    const shared = [...flagsSetBy(other.segments)].filter((flag) => flags.has(flag));
    if (shared.length > 0) throw new UsageError(`${other.id} is running and sets ${shared.join(', ')} too`);
  }
}

async function experimentNamed(
  experiments: ExperimentsRepository,
  manager: EntityManager,
  id: string | undefined,
): Promise<ExperimentRow> {
  const experiment = id ? await experiments.find(manager, id) : null;
  if (!experiment) throw new UsageError(`no experiment ${id ?? ''}; \`experiments list\` shows all`);
  return experiment;
}

const start: Command = {
  name: 'experiments start',
  usage: '<id>',
  summary: 'assign visitors to its segments, within seconds',
  async run([id], { database, audit, actor }) {
    const experiments = new ExperimentsRepository(database);
    await database.transaction(async (manager) => {
      await experiments.lock(manager);
      const experiment = await experimentNamed(experiments, manager, id);
      if (experiment.state === 'running') throw new UsageError(`${id} is running`);
      await requireFreeFlags(experiments, manager, experiment);
      await experiments.update(manager, experiment.id, { state: 'running', startedAt: new Date(), stoppedAt: null });
      await audit.record({ actor, action: 'experiments.start', details: { id } }, manager);
    });
    return `started ${id}`;
  },
};

const stop: Command = {
  name: 'experiments stop',
  usage: '<id>',
  summary: 'give all visitors the usual flags again, also those that staff forced',
  async run([id], { database, audit, actor }) {
    const experiments = new ExperimentsRepository(database);
    await database.transaction(async (manager) => {
      await experiments.lock(manager);
      const experiment = await experimentNamed(experiments, manager, id);
      if (experiment.state === 'stopped') throw new UsageError(`${id} is stopped`);
      await experiments.update(manager, experiment.id, { state: 'stopped', stoppedAt: new Date() });
      await new VisitorsRepository(database).unforceAll(manager, experiment.id);
      await audit.record({ actor, action: 'experiments.stop', details: { id } }, manager);
    });
    return `stopped ${id}`;
  },
};

export const experimentCommands: readonly Command[] = [list, create, start, stop];
