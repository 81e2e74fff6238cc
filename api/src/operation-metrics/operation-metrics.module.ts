import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { inMilliseconds, RUN_QUEUES } from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { StorageConfig } from '@clearframe/runtime/storage';
import { Injectable, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { Gauge, type LabelValues } from 'prom-client';
import { Metrics } from '../platform/monitoring/metrics.js';
import { RunsModule } from '../runs/runs.module.js';
import { WorkerSlots } from '../runs/worker-slots.js';
import { OperationMetricsRepository } from './operation-metrics.repository.js';

/** Of several scrapers one reads. */
const READ_EVERY_MS = inMilliseconds.seconds(10);

interface Sample<Label extends string> {
  readonly labels: LabelValues<Label>;
  readonly value: number;
}

/** State of the product as a whole, read when `/metrics` is: without readers nothing is measured. */
@Injectable()
class OperationMetrics implements OnModuleInit {
  private readonly logger = new Logger(OperationMetrics.name);

  constructor(
    private readonly metrics: Metrics,
    private readonly repository: OperationMetricsRepository,
    private readonly slots: WorkerSlots,
    private readonly storage: StorageConfig,
  ) {}

  onModuleInit(): void {
    const { repository } = this;
    const openRuns = new Cached(READ_EVERY_MS, () => repository.openRuns());
    const ofRuns = async (read: 'count' | 'oldestSeconds') =>
      (await openRuns.get()).map(({ queue, priority, status, [read]: value }) => ({
        labels: { queue, priority: String(priority), status },
        value,
      }));
    this.add('clearframe_runs_open', 'Runs waiting or dispatched to a worker', ['queue', 'priority', 'status'], () =>
      ofRuns('count'),
    );
    this.add(
      'clearframe_runs_oldest_seconds',
      'For how long the oldest run has been in its state',
      ['queue', 'priority', 'status'],
      () => ofRuns('oldestSeconds'),
    );
    const backlogs = new Cached(READ_EVERY_MS, () => repository.backlogs());
    const ofBacklogs = async (read: 'count' | 'oldestSeconds') =>
      (await backlogs.get()).map(({ kind, [read]: value }) => ({ labels: { kind }, value }));
    this.add('clearframe_backlog', 'Unprocessed webhooks, due mail and deliveries, deletions', ['kind'], () =>
      ofBacklogs('count'),
    );
    this.add('clearframe_backlog_oldest_seconds', 'For how long the oldest of a backlog is due', ['kind'], () =>
      ofBacklogs('oldestSeconds'),
    );
    this.add('clearframe_stuck', 'Work that was set aside after its last attempt', ['kind'], async () =>
      (await repository.stuck()).map(({ kind, count }) => ({ labels: { kind }, value: count })),
    );
    this.add('clearframe_tasks_lost', 'Tasks in work without a run', [], async () => [
      { labels: {}, value: await repository.lostTasks() },
    ]);
    this.add('clearframe_ledger_drift', 'Entries that contradict each other', ['ledger'], async () =>
      (await repository.drift()).map(({ ledger, count }) => ({ labels: { ledger }, value: count })),
    );
    this.add('clearframe_backup_timestamp_seconds', 'When the last backup ended', [], async () => {
      const at = await repository.lastBackupAt();
      return at === null ? [] : [{ labels: {}, value: at }];
    });
    this.add('clearframe_workers', 'Connected workers', ['queue'], () => this.ofWorkers((workers) => workers.length));
    this.add('clearframe_worker_slots', 'Jobs that the connected workers run at once', ['queue'], () =>
      this.ofWorkers((workers) => workers.reduce((sum, { concurrency }) => sum + concurrency, 0)),
    );
    this.add('clearframe_storage_free_bytes', 'Free on the disks of media and scratch files', ['folder'], () =>
      this.freeSpace(),
    );
  }

  /** A source that fails has no samples, so that the others are still seen; the alert on its absence says so. */
  private add<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => Promise<Sample<Label>[]>,
  ): void {
    const cached = new Cached(READ_EVERY_MS, read);
    const { logger } = this;
    new Gauge<Label>({
      name,
      help,
      labelNames,
      registers: [this.metrics.registry],
      async collect() {
        this.reset();
        // Without labels a reset sets the only sample to 0.
        if (labelNames.length === 0) this.remove();
        try {
          for (const { labels, value } of await cached.get()) this.set(labels, value);
        } catch (error) {
          logger.warn({ err: error, metric: name }, 'a metric was not read');
        }
      },
    });
  }

  private async ofWorkers(value: (workers: Awaited<ReturnType<WorkerSlots['workersOf']>>) => number) {
    const read = async (queue: (typeof RUN_QUEUES)[number]) => ({
      labels: { queue },
      value: value(await this.slots.workersOf(queue)),
    });
    return Promise.all(RUN_QUEUES.map(read));
  }

  private async freeSpace() {
    const { settings } = this.storage;
    const folders = { scratch: tmpdir(), ...(settings.driver === 'disk' && { media: settings.root }) };
    const read = async ([folder, path]: [string, string]) => {
      const { bavail, bsize } = await statfs(path);
      return { labels: { folder }, value: bavail * bsize };
    };
    return Promise.all(Object.entries(folders).map(read));
  }
}

/** Omitted with `API_ROLE=http`: the same for all processes, so that one kind of them reports it. */
@Module({ imports: [RunsModule], providers: [OperationMetrics, OperationMetricsRepository] })
export class OperationMetricsModule {}
