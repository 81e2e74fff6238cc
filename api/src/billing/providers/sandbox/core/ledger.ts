import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProviderName } from '../../port/payment-provider.js';
import { newId, newSecret, sha256 } from './ids.js';
import { SandboxClock } from './sandbox-clock.js';
import { SandboxDatabase } from './sandbox-database.js';
import { Company, CompanyEvent, KeyedRequest } from './system.entities.js';

/** A request that the company does not understand or may not grant: a mistake of whoever asks. */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal';
}

/** What an event is about, and whose company it happened at. */
export interface Subject {
  readonly kind: CompanyEvent['subjectKind'];
  readonly id: string;
  readonly provider: ProviderName;
}

/** One piece of work at the company's desk: all of it is written into the books, or nothing. */
export interface Work {
  readonly books: EntityManager;
  /** Billing time. */
  readonly now: Date;
  /** Writes down that something happened; the product is told once the work is done. */
  tell(type: string, subject: Subject): Promise<void>;
  /** The same work at another moment, to which the clock moves on if it is not there yet. */
  at(moment: Date): Promise<Work>;
}

/** Work that is being done, and what is to follow once it is in the books. */
class Desk implements Work {
  readonly now: Date;

  constructor(
    readonly books: EntityManager,
    readonly after: { offsetMs: number; hasEvents: boolean },
    now?: Date,
  ) {
    this.now = now ?? new Date(Date.now() + after.offsetMs);
  }

  async tell(type: string, { kind, id, provider }: Subject): Promise<void> {
    this.after.hasEvents = true;
    await this.books.insert(CompanyEvent, {
      id: newId('evt'),
      type,
      provider,
      subjectKind: kind,
      subjectId: id,
      createdAt: this.now,
      attempts: 0,
      nextAttemptAt: new Date(),
      deliveredAt: null,
    });
  }

  async at(moment: Date): Promise<Work> {
    const offsetMs = moment.getTime() - Date.now();
    if (offsetMs > this.after.offsetMs) {
      this.after.offsetMs = offsetMs;
      await this.books.update(Company, { id: 1 }, { clockOffsetMs: String(offsetMs) });
    }
    return new Desk(this.books, this.after, moment);
  }
}

/** The company's desk. There is one clerk: whatever is asked for at once is done one after the other. */
@Injectable()
export class SandboxCompany {
  private onTold: () => void = () => undefined;

  constructor(
    private readonly database: SandboxDatabase,
    private readonly clock: SandboxClock,
  ) {}

  /** Whom to wake when there is something to tell. */
  whenTold(listener: () => void): void {
    this.onTold = listener;
  }

  async work<Result>(handle: (work: Work) => Promise<Result>): Promise<Result> {
    const database = await this.database.open();
    const [result, after] = await database.transaction(async (books) => {
      const company = await this.enter(books);
      const desk = new Desk(books, { offsetMs: Number(company.clockOffsetMs), hasEvents: false });
      return [await handle(desk), desk.after] as const;
    });
    this.clock.remember(after.offsetMs);
    if (after.hasEvents) this.onTold();
    return result;
  }

  /** Does what the same key has not done yet, and answers as it was answered then. */
  once<Answer>(
    key: string,
    operation: string,
    parameters: Readonly<Record<string, string | number | boolean | null>>,
    handle: (work: Work) => Promise<Answer>,
  ): Promise<Answer> {
    const fingerprint = sha256(JSON.stringify([operation, Object.entries(parameters).sort()]));
    return this.work(async (work) => {
      const earlier = await work.books.findOneBy(KeyedRequest, { key });
      if (earlier && earlier.fingerprint !== fingerprint) {
        throw new SandboxRefusal('this key belongs to a request with other parameters');
      }
      if (earlier) return earlier.answer as Answer;
      const answer = await handle(work);
      await work.books.insert(KeyedRequest, { key, fingerprint, answer: answer as object });
      return answer;
    });
  }

  /** Looks into the books as they stand at one moment. */
  async look<Result>(handle: (books: EntityManager) => Promise<Result>): Promise<Result> {
    const database = await this.database.open();
    return database.transaction('REPEATABLE READ', handle);
  }

  /** The secret that events are signed with: made once, kept in the books. */
  async webhookSecret(): Promise<string> {
    const database = await this.database.open();
    const company = await database.manager.findOneBy(Company, { id: 1 });
    return (company ?? (await database.transaction((books) => this.enter(books)))).webhookSecret;
  }

  /** Locks the company's one row, by which all work is done one after the other. */
  private async enter(books: EntityManager): Promise<Company> {
    const lock = { where: { id: 1 }, lock: { mode: 'pessimistic_write' as const } };
    const company = await books.findOne(Company, lock);
    if (company) return company;
    await books
      .createQueryBuilder()
      .insert()
      .into(Company)
      .values({ id: 1, clockOffsetMs: '0', webhookSecret: newSecret() })
      .orIgnore()
      .execute();
    return books.findOneOrFail(Company, lock);
  }
}
