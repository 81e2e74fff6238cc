import { UserExport } from '@clearframe/contract';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';

const PARTS = UserExport.omit({ exportedAt: true, user: true, profile: true, sessions: true, onboardings: true });

/** The parts of a data export that capabilities add to the account's own. */
export type ExportedData = z.infer<typeof PARTS>;
export type ExportPart = keyof ExportedData;

/** Moves, exports and erases what a capability stores about users. */
export interface PersonalData<Part extends ExportPart = ExportPart> {
  /** Gives everything of one user to another, in the caller's transaction. */
  move(manager: EntityManager, from: string, to: string): Promise<void>;
  /** The declared parts of the data export. */
  export(userId: string): Promise<Pick<ExportedData, Part>>;
  /** Deletes everything of a user, including files. */
  erase(userId: string): Promise<void>;
  /**
   * Deletes what `erase` left and what was written after it, in the transaction that deletes the account. The caller
   * holds the user's lock.
   */
  eraseWithAccount?(manager: EntityManager, userId: string): Promise<void>;
  /**
   * Those of these abandoned guests whose row must be kept because of stored data. Omitted by holders whose data may be
   * deleted with the row.
   */
  keeping?(manager: EntityManager, userIds: readonly string[]): Promise<string[]>;
}

/**
 * Declares a provider as a holder of personal data, with the parts of the data export that it answers; it implements
 * {@link PersonalData}. Every part needs exactly one holder.
 */
export const HoldsPersonalData = DiscoveryService.createDecorator<readonly ExportPart[]>();

/** Moves, exports and erases through every declared holder of personal data. */
@Injectable()
export class PersonalDataRegistry implements OnModuleInit {
  private holders: readonly PersonalData[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws when a part of the data export has no holder or several */
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
    for (const holder of this.holders) await holder.move(manager, from, to);
  }

  async export(userId: string): Promise<ExportedData> {
    const parts = await Promise.all(this.holders.map((holder) => holder.export(userId)));
    return PARTS.parse(Object.assign({}, ...parts));
  }

  async keeping(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const kept: string[] = [];
    for (const holder of this.holders) kept.push(...((await holder.keeping?.(manager, userIds)) ?? []));
    return kept;
  }

  async erase(userId: string): Promise<void> {
    for (const holder of this.holders) await holder.erase(userId);
  }

  async eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    for (const holder of this.holders) await holder.eraseWithAccount?.(manager, userId);
  }
}
