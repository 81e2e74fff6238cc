import { type Role, type RoleEntitlements, roleOf, type User } from '@clearframe/contract';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';

export interface UserEntitlements extends Omit<RoleEntitlements, 'isGuest' | 'isFree'> {
  readonly exports: { readonly limit: number | null; readonly used: number; readonly renewsAt: string | null };
  readonly giftCode: User['giftCode'];
  readonly monetization: User['monetization'];
  readonly mobileOracleBackendId: string | null;
}

/** One SQL statement: runs for every request with a credential. */
export interface EntitlementSource {
  entitlementsOf(userId: string, manager?: EntityManager): Promise<UserEntitlements>;
}

export const ProvidesEntitlements = DiscoveryService.createDecorator();

/** Columns of `users` that determine the role together with entitlements. */
export interface RoleFlags {
  readonly isGuest: boolean;
  readonly isFree: boolean;
}

export const resolveRole = ({ isGuest, isFree }: RoleFlags, entitlements: UserEntitlements): Role =>
  roleOf({ ...entitlements, isGuest, isFree });

/** Lets identity and users read entitlements without importing billing, a higher layer. */
@Injectable()
export class Entitlements implements EntitlementSource, OnModuleInit {
  private source: EntitlementSource | null = null;

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const declared = this.discovery.getProviders({ metadataKey: ProvidesEntitlements.KEY });
    const [source] = declared;
    if (!source || declared.length > 1) {
      const names = declared.map(({ name }) => String(name)).join(', ') || 'none';
      throw new Error(`entitlements: one provider decorated with @ProvidesEntitlements() is required, found ${names}`);
    }
    this.source = source.instance;
  }

  async entitlementsOf(userId: string, manager?: EntityManager): Promise<UserEntitlements> {
    if (!this.source) throw new Error('entitlements were read before the application had started');
    return this.source.entitlementsOf(userId, manager);
  }
}
