import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { ConsentsController } from '../consents/consents.controller.js';
import { ConsentsRepository } from '../consents/consents.repository.js';
import { ConsentsService } from '../consents/consents.service.js';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { PersonalDataRegistry } from '../platform/personal-data.js';
import { AccountService } from './account.service.js';
import { ErasedIdentities } from './erased-identities.repository.js';
import { GuestsService } from './guests.service.js';
import { LoginService } from './login.service.js';
import { OnboardingRepository } from './onboarding.repository.js';
import { OnboardingService } from './onboarding.service.js';
import { UserRepository, UserRow } from './user.repository.js';
import { UserRoles } from './user-roles.js';
import { UsersController } from './users.controller.js';

@Module({
  imports: [BillingAccountsModule, DiscoveryModule, ExperimentsModule, TypeOrmModule.forFeature([UserRow])],
  controllers: [UsersController, ConsentsController],
  providers: [
    UserRepository,
    UserRoles,
    OnboardingRepository,
    GuestsService,
    OnboardingService,
    LoginService,
    AccountService,
    ErasedIdentities,
    PersonalDataRegistry,
    ConsentsRepository,
    ConsentsService,
  ],
  exports: [AccountService, GuestsService, ErasedIdentities, PersonalDataRegistry, UserRepository, UserRoles],
})
export class UsersModule {}
