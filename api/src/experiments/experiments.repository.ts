import type { EXPERIMENT_STATES } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, In, Not, PrimaryColumn } from 'typeorm';
import { z } from 'zod';
import { JsonColumn } from '../platform/database/json-column.js';
import { Segment } from './definition.js';

@Entity('experiments')
export class ExperimentRow {
  /** Chosen by the operator. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text')
  state!: (typeof EXPERIMENT_STATES)[number];

  /** Fixed: other weights would move visitors between segments. */
  @JsonColumn(z.array(Segment))
  segments!: readonly Segment[];

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  stoppedAt!: Date | null;
}

@Injectable()
export class ExperimentsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  list(): Promise<ExperimentRow[]> {
    return this.database.manager.find(ExperimentRow, { order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Drafts and running experiments, oldest first. */
  listOpen(): Promise<ExperimentRow[]> {
    return this.database.manager.find(ExperimentRow, {
      where: { state: In(['draft', 'running']) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** Serializes changes of experiments until the transaction ends. */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query('LOCK TABLE experiments IN SHARE ROW EXCLUSIVE MODE');
  }

  find(manager: EntityManager, id: string): Promise<ExperimentRow | null> {
    return manager.findOneBy(ExperimentRow, { id });
  }

  listOtherRunning(manager: EntityManager, id: string): Promise<ExperimentRow[]> {
    return manager.findBy(ExperimentRow, { state: 'running', id: Not(id) });
  }

  async insert(manager: EntityManager, row: ExperimentRow): Promise<void> {
    await manager.insert(ExperimentRow, row);
  }

  async update(manager: EntityManager, id: string, change: Partial<ExperimentRow>): Promise<void> {
    await manager.update(ExperimentRow, id, change);
  }
}
