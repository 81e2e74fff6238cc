import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectKeys } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import { Pool, type QueryResultRow } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startS3Server } from '../../../runtime/test/s3-server.js';
import { startApi } from '../../test/support/application.js';
import { Customer } from '../../test/support/billing/customer.js';
import { picture } from '../../test/support/pictures.js';
import { copyDatabase, type OwnDatabase } from '../../test/support/stores/stores.js';
import { until } from '../../test/support/until.js';
import { Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';
import { createFinishedTask, waitForFiles } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';
import { MIGRATIONS } from '../migrations/index.js';
import { describeError, runCommand } from '../ops/run-command.js';
import { DatabaseConfig } from '../platform/database/database.module.js';
import { migrateDatabase } from '../platform/database/migrate.js';
import { BackupFolder } from './backup-folder.js';

const PASSPHRASE = 'three blind mice run';
const COOKIE_SECRET = 'of-web-which-these-tests-do-not-start-000';

const fixture = useResultsFixture();
let folder: string;
let backups: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-backups-'));
});
beforeEach(() => {
  backups = join(folder, randomUUID());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const source = (): Environment => ({
  ...fixture.api.environment,
  CLEARFRAME_COOKIE_SECRET: COOKIE_SECRET,
  CLEARFRAME_BACKUP_PASSPHRASE: PASSPHRASE,
});
const backUp = (...args: string[]): Promise<string> => runCommand(['backup', '--to', backups, ...args], source());
const refusal = (command: Promise<string>): Promise<string | undefined> =>
  command.then(() => 'it was done', describeError);
const mediaFiles = async (): Promise<string[]> =>
  (await readdir(join(backups, 'media'), { recursive: true })).filter((file) => file.includes('/')).sort();
const backupIds = async (): Promise<string[]> => (await readdir(join(backups, 'backups'))).sort();

/** An empty database and data folder, as on a new machine. */
class Elsewhere {
  private constructor(
    private readonly database: OwnDatabase,
    readonly environment: Environment,
    private readonly pool: Pool,
  ) {}

  static async make(): Promise<Elsewhere> {
    const database = await copyDatabase();
    const dataFolder = join(folder, randomUUID());
    await mkdir(dataFolder);
    const pool = new Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => undefined);
    const environment = {
      DATABASE_URL: database.url,
      CLEARFRAME_DATA: dataFolder,
      CLEARFRAME_BACKUP_PASSPHRASE: PASSPHRASE,
    };
    return new Elsewhere(database, environment, pool);
  }

  restore(...args: string[]): Promise<string> {
    return runCommand(['restore', '--from', backups, ...args], this.environment);
  }

  async count(table: string): Promise<number> {
    return Number((await this.pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count);
  }

  async has(table: string): Promise<boolean> {
    return (await this.pool.query('SELECT to_regclass($1) AS name', [table])).rows[0].name !== null;
  }

  async rows<Row extends QueryResultRow>(sql: string): Promise<Row[]> {
    return (await this.pool.query<Row>(sql)).rows;
  }

  async secrets(): Promise<Record<string, string>> {
    return JSON.parse(await readFile(join(this.environment.CLEARFRAME_DATA ?? '', 'secrets.json'), 'utf8'));
  }

  async destroy(): Promise<void> {
    await this.pool.end();
    await this.database.drop();
  }
}

let elsewhere: Elsewhere;
beforeEach(async () => {
  elsewhere = await Elsewhere.make();
});
afterEach(() => elsewhere.destroy());

const bytesAt = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

describe('a backup', () => {
  it('taken under load has every picture and cent, and open work goes on from it', async () => {
    const { api, worker, business } = fixture;
    const customer = await Customer.member(api);
    await customer.buy('three_exports_usd');
    const done = await createFinishedTask(business, worker);
    const before = await waitForFiles(business, done.task_id);
    const [input, output] = [await bytesAt(before.input_url), await bytesAt(before.output_url)];
    // In a queue of its own: a worker of these tests holds one job a queue.
    const open = await business.process({ ai_pipeline: { color_enhance: { model: 'golden' } } });
    const unprocessed = await business.upload();

    let isOver = false;
    const load = async () => {
      while (!isOver) await createFinishedTask(business, worker);
    };
    const loads = [load(), load()];
    expect(await backUp()).toMatch(/database: \d+ rows of \d+ tables/);
    isOver = true;
    await Promise.all(loads);
    const tokens = [business.token, customer.visitor.token];
    await worker.stop();
    await api.sql('TRUNCATE users, payments, credit_entries, bulk_uploads CASCADE');
    await rm(api.pathOf(''), { recursive: true });

    expect(await elsewhere.restore()).toContain('restart the product');
    const { CLEARFRAME_COOKIE_SECRET, ...secrets } = await elsewhere.secrets();
    expect(CLEARFRAME_COOKIE_SECRET).toBe(COOKIE_SECRET);
    const restored = await startApi({ ...elsewhere.environment, ...secrets });
    const otherWorker = new ManualWorker(restored);
    try {
      const [visitor, payer] = tokens.map((token) => new Visitor(restored.http, token));
      if (!visitor || !payer) throw new Error('there are two');
      const task = await visitor.task(done.task_id);
      expect(await bytesAt(task.input_url)).toEqual(input);
      expect(await bytesAt(task.output_url)).toEqual(output);
      expect(await payer.me()).toMatchObject({ available_credits: 3 });
      await otherWorker.start();
      await otherWorker.waitForJob(open.task_id);
      await visitor.post(`/tasks/bulk-upload/${unprocessed.bulk_upload_id}/process`).expect(202);
      expect(await visitor.task(unprocessed.task_id)).toMatchObject({ status: 'processing' });
      const tasks = await elsewhere.rows<{ id: string }>(
        "SELECT id FROM tasks WHERE status NOT IN ('started', 'uploading')",
      );
      const files = await readdir(join(elsewhere.environment.CLEARFRAME_DATA ?? '', 'media'), { recursive: true });
      const inputs = new Set(files.filter((file) => file.startsWith('inputs/')));
      expect(tasks.filter(({ id }) => !inputs.has(objectKeys.input(id)))).toEqual([]);
    } finally {
      await otherWorker.stop();
      await restored.stop();
    }
  });

  it('copies only new media, and keeps as many backups as wanted with the media of these', async () => {
    const { api, worker, business } = fixture;
    const first = await createFinishedTask(business, worker, {}, { bytes: picture.jpeg(7_000) });
    await waitForFiles(business, first.task_id);
    const report = await backUp('--keep', '2');
    const objects = Number(/media: (\d+) objects/.exec(report)?.[1]);
    expect(objects).toBeGreaterThan(3);
    expect(await backUp('--keep', '2')).toContain(`0.0 MB copied, ${objects} objects unchanged`);
    const stored = await mediaFiles();
    await business.delete('/tasks/delete', { task_ids: [first.task_id] }).expect(204);
    await until(async () => (await api.files()).length === 0, 'the files to be deleted');
    expect(await backUp('--keep', '2')).toContain('removed: ');
    expect(await mediaFiles()).toEqual(stored);
    await backUp('--keep', '2');
    expect(await backupIds()).toHaveLength(2);
    expect(await mediaFiles()).toEqual([]);
    const recorded = await api.sql("SELECT details->>'id' AS id FROM audit_entries WHERE action = 'backups.create'");
    expect(recorded).toEqual(expect.arrayContaining((await backupIds()).map((id) => ({ id }))));
  });

  it('can be in a bucket', async () => {
    const { worker, business } = fixture;
    const server = await startS3Server();
    try {
      await createFinishedTask(business, worker);
      const { STORAGE_DRIVER: _driver, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...bucket } = server.environment;
      vi.stubEnv('AWS_ACCESS_KEY_ID', AWS_ACCESS_KEY_ID);
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', AWS_SECRET_ACCESS_KEY);
      const place = `s3://${server.bucket}/nightly`;
      await runCommand(['backup', '--to', place], { ...source(), ...bucket });
      expect(await runCommand(['backups', '--in', place], bucket)).toMatch(/^\d{8}T\d{9}Z /m);
      expect(await runCommand(['verify', '--from', place], bucket)).toContain('is complete');
      await runCommand(['restore', '--from', place], { ...elsewhere.environment, ...bucket });
      expect(await elsewhere.count('tasks')).toBe(1);
    } finally {
      vi.unstubAllEnvs();
      await server.stop();
    }
  });

  it('that was broken off is none, and the next one removes it', async () => {
    await backUp();
    const [id = ''] = await backupIds();
    await rm(join(backups, 'backups', id, 'manifest.json'));
    expect(await refusal(elsewhere.restore())).toBe('there is no finished backup');
    await backUp('--keep', '1');
    expect(await backupIds()).toEqual([expect.not.stringContaining(id)]);
  });

  it('that lost its lock to another one is none, and the other one is complete', async () => {
    const { api, worker, business } = fixture;
    await createFinishedTask(business, worker, {}, { bytes: picture.jpeg(9_000) });
    // Between the list of media and their copies.
    vi.spyOn(BackupFolder.prototype, 'requireSpace').mockImplementationOnce(async () => {
      await api.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'clearframe-backup'`,
      );
      expect(await backUp('--keep', '1')).toContain('backup ');
    });
    expect(await refusal(backUp('--keep', '1'))).toBe(
      'the connection to the database broke, and with it the lock against other backups',
    );
    expect(await runCommand(['verify', '--from', backups], source())).toContain('is complete');
    await backUp('--keep', '1');
    expect(await runCommand(['verify', '--from', backups], source())).toContain('is complete');
    expect(await backupIds()).toHaveLength(1);
  });

  it('is refused for want of space, inside the media, without secrets, and beside another one', async () => {
    const { api, worker, business } = fixture;
    await backUp();
    const earlier = await backupIds();
    const { task_id } = await createFinishedTask(business, worker);
    // A file with holes takes no space here.
    await truncate(api.pathOf(objectKeys.input(task_id)), 2 ** 42);
    expect(await refusal(backUp())).toMatch(/ needs 43980\d\d MB of space, and \d+ MB are free$/);
    expect(await refusal(runCommand(['backup', '--to', api.pathOf('x')], source()))).toContain('is inside the media');
    expect(await refusal(runCommand(['backup', '--to', 'ftp://x/y'], source()))).toContain(
      'neither a folder nor s3://',
    );
    const { CLEARFRAME_COOKIE_SECRET: _secret, ...without } = source();
    expect(await refusal(runCommand(['backup', '--to', backups], without))).toMatch(/^CLEARFRAME_COOKIE_SECRET /);
    const short = { ...source(), CLEARFRAME_BACKUP_PASSPHRASE: 'short' };
    expect(await refusal(runCommand(['backup', '--to', backups], short))).toContain('at least 12 characters');
    const both = await Promise.all([refusal(backUp('--without-secrets')), refusal(backUp('--without-secrets'))]);
    expect(both).toContain('another backup or restore of this database is running');
    expect(await refusal(runCommand(['verify', '--from', backups], {}))).toBeDefined();
    expect((await runCommand(['backups', '--in', backups], {})).match(/^\d{8}T\d{9}Z.*MB$/gm)).toHaveLength(
      earlier.length,
    );
  });
});

describe('a restore', () => {
  it('is refused without a change for a used database, a wrong passphrase and a backup of a newer version', async () => {
    await createFinishedTask(fixture.business, fixture.worker);
    await backUp();
    const tasks = await fixture.api.sql('SELECT * FROM tasks');
    const inUse = await refusal(runCommand(['restore', '--from', backups], source()));
    expect(inUse).toBe('the database is in use: nothing was changed. Restore into an empty one');
    expect(await fixture.api.sql('SELECT * FROM tasks')).toEqual(tasks);

    const wrong = { ...elsewhere.environment, CLEARFRAME_BACKUP_PASSPHRASE: 'four blind mice run' };
    expect(await refusal(runCommand(['restore', '--from', backups], wrong))).toContain('the passphrase does not open');
    expect(await refusal(runCommand(['verify', '--from', backups], wrong))).toContain('the passphrase does not open');
    const [id = ''] = await backupIds();
    const manifest = join(backups, 'backups', id, 'manifest.json');
    const content = JSON.parse(await readFile(manifest, 'utf8'));
    await writeFile(manifest, JSON.stringify({ ...content, migrations: [...content.migrations, 'Later1999'] }));
    expect(await refusal(elsewhere.restore())).toContain('of a newer version, with Later1999');
    expect(await elsewhere.has('users')).toBe(false);
    expect(existsSync(join(elsewhere.environment.CLEARFRAME_DATA ?? '', 'media'))).toBe(false);
  });

  it('of a truncated or incomplete backup names what is damaged, and changes nothing', async () => {
    await createFinishedTask(fixture.business, fixture.worker);
    await backUp();
    const [id = ''] = await backupIds();
    const table = join(backups, 'backups', id, 'database', 'tasks.copy.gz');
    const whole = await readFile(table);
    const [file = '', gone = ''] = await mediaFiles();
    const picture = await readFile(join(backups, 'media', file));
    await truncate(table, whole.length - 9);
    await truncate(join(backups, 'media', file), picture.length - 1);
    await rm(join(backups, 'media', gone));
    for (const command of [() => elsewhere.restore(), () => runCommand(['verify', '--from', backups], {})]) {
      const problems = await refusal(command());
      expect(problems).toContain(`database/tasks.copy.gz of ${id} is truncated or damaged`);
      expect(problems).toMatch(/^ {2}(inputs|results)\/.* is truncated or damaged$/m);
      expect(problems).toMatch(/^ {2}(inputs|results)\/.* is missing$/m);
    }
    expect(await elsewhere.has('users')).toBe(false);
    await writeFile(table, whole);
    // The next backup mends what is not as it was.
    await backUp();
    expect(await runCommand(['verify', '--from', backups], {})).toContain('is complete');
  });

  it('fills the schema of an earlier version and then migrates it', async () => {
    const old = await copyDatabase();
    try {
      const environment = { ...source(), DATABASE_URL: old.url };
      await migrateDatabase(DatabaseConfig.fromEnvironment(environment), MIGRATIONS.slice(0, -1));
      await runCommand(['backup', '--to', backups], environment);
      await elsewhere.restore();
      expect(await elsewhere.rows('SELECT name FROM migrations')).toHaveLength(MIGRATIONS.length);
    } finally {
      await old.drop();
    }
  });

  it('writes secrets for containers into a new file', async () => {
    await backUp();
    const file = join(folder, `${randomUUID()}.env`);
    await elsewhere.restore('--secrets-to', file);
    expect(await readFile(file, 'utf8')).toContain(`CLEARFRAME_COOKIE_SECRET=${COOKIE_SECRET}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await refusal(elsewhere.restore('--secrets-to', file))).toContain('exists; name a new file');
  });
});
