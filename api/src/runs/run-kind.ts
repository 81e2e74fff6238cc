import { JOBS, type JobDefinition, type JobOutcome, type JobPayload } from '@clearframe/contract';
import { Injectable, type OnModuleInit, SetMetadata } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { RunRow } from './run.entity.js';

/** Behavior of one kind of run. `Subject` is the result of {@link RunKind.lock}. */
export interface RunKind<Definition extends JobDefinition = JobDefinition, Subject = unknown> {
  /**
   * Built from the database at each publication; null when the subject is gone.
   * @throws when it can't be built: the run fails
   */
  payload(manager: EntityManager, run: RunRow): Promise<JobPayload<Definition> | null>;
  /** Locks the subject and all that {@link settle} changes, in the documented order; null when it is gone. */
  lock(manager: EntityManager, run: RunRow): Promise<Subject | null>;
  /** Applies the outcome to the locked subject, at most once. */
  settle(manager: EntityManager, run: RunRow, subject: Subject, outcome: JobOutcome<Definition>): Promise<void>;
  /**
   * Called after the commit, for instance to delete objects. Not repeated on failure: remaining objects are deleted with
   * the subject.
   */
  settled?(run: RunRow, outcome: JobOutcome<Definition>): Promise<void>;
  /** Millions of pixels of the input, for time estimates. */
  megapixelsOf?(outcome: JobOutcome<Definition> & { kind: 'completed' }): number;
}

const KIND_DEFINITION = Symbol('definition of a run kind');

type KindClass<Definition extends JobDefinition> = new (...dependencies: never[]) => RunKind<Definition>;

export const KindOfRun =
  <Definition extends JobDefinition>(definition: Definition) =>
  <Target extends KindClass<Definition>>(target: Target): void => {
    SetMetadata(KIND_DEFINITION, definition)(target);
  };

export interface RegisteredKind {
  readonly definition: JobDefinition;
  readonly kind: RunKind;
}

@Injectable()
export class RunKinds implements OnModuleInit {
  private readonly kinds = new Map<string, RegisteredKind>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const problems: string[] = [];
    for (const { instance, metatype } of this.discovery.getProviders()) {
      const definition: JobDefinition | undefined = metatype && Reflect.getMetadata(KIND_DEFINITION, metatype);
      if (!definition) continue;
      if (this.kinds.has(definition.name)) problems.push(`${definition.name} has several kinds`);
      this.kinds.set(definition.name, { definition, kind: instance as RunKind });
    }
    for (const { name } of JOBS) if (!this.kinds.has(name)) problems.push(`${name} has no kind`);
    if (problems.length > 0) throw new Error(`jobs and run kinds do not match: ${problems.join('; ')}`);
  }

  find(name: string): RegisteredKind | undefined {
    return this.kinds.get(name);
  }

  get names(): string[] {
    return [...this.kinds.keys()];
  }

  get definitions(): JobDefinition[] {
    return [...this.kinds.values()].map(({ definition }) => definition);
  }
}
