import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { GiftCodeRepository } from './gift-code.repository.js';

@Injectable()
@HoldsPersonalData([])
export class GiftCodesPersonalData implements PersonalData<never> {
  constructor(private readonly codes: GiftCodeRepository) {}

  /** A guest who used a code can't use it again after logging in. */
  move(manager: EntityManager, from: string, to: string): Promise<void> {
    return this.codes.moveUses(manager, from, to);
  }

  async export(): Promise<Record<string, never>> {
    return {};
  }

  /** Does not reset the code's use count. */
  erase(userId: string): Promise<void> {
    return this.codes.deleteUsesOf(userId);
  }
}
