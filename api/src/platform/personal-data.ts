import { type Role, UserExport } from '@clearframe/contract';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';

const PARTS = UserExport.omit({ exportedAt: true, user: true, profile: true, sessions: true, onboardings: true });

export type ExportedData = z.infer<typeof PARTS>;
export type ExportPart = keyof ExportedData;

export interface PersonalData<Part extends ExportPart = ExportPart> {
  /** Moves all data to another user, in the caller's transaction. Omitted where guests have none. */
  move?(manager: EntityManager, from: string, to: string): Promise<void>;
  /** Returns the declared parts of the data export, with files as the user's plan allows. */
  export(userId: string, role: Role): Promise<Pick<ExportedData, Part>>;
  /** Omitted where data may be added until the account is deleted, and is deleted with it. */
  erase?(userId: string): Promise<void>;
  /**
   * Deletes what remains after `erase` or was written since, in the transaction that deletes the account. The caller
   * holds the user's lock.
   */
  eraseWithAccount?(manager: EntityManager, userId: string): Promise<void>;
  /**
   * Returns the abandoned guests whose row must stay because of stored data. Omitted when data may be deleted with the
   * row.
   */
  listRetained?(manager: EntityManager, userIds: readonly string[]): Promise<string[]>;
}

export const HoldsPersonalData = DiscoveryService.createDecorator<readonly ExportPart[]>();

@Injectable()
export class PersonalDataRegistry implements OnModuleInit {
  private holders: readonly PersonalData[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const declared = this.discovery.getProviders({ metadataKey: HoldsPersonalData.KEY });
    const parts = declared.flatMap((holder) => this.discovery.getMetadataByDecorator(HoldsPersonalData, holder) ?? []);
    for (const part of Object.keys(PARTS.shape)) {
      const count = parts.filter((one) => one === part).length;
      if (count !== 1) {
        throw new Error(
          `personal data: one provider decorated with @HoldsPersonalData(['${part}']) is required, found ${count}`,
        );
      }
    }
    this.holders = declared.map(({ instance }) => instance);
  }

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    for (const holder of this.holders) await holder.move?.(manager, from, to);
  }

  async export(userId: string, role: Role): Promise<ExportedData> {
    const parts = await Promise.all(this.holders.map((holder) => holder.export(userId, role)));
    return PARTS.parse(Object.assign({}, ...parts));
  }

  async listRetained(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const retained: string[] = [];
    for (const holder of this.holders) retained.push(...((await holder.listRetained?.(manager, userIds)) ?? []));
    return retained;
  }

  async erase(userId: string): Promise<void> {
    for (const holder of this.holders) await holder.erase?.(userId);
  }

  async eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    for (const holder of this.holders) await holder.eraseWithAccount?.(manager, userId);
  }
}
