import { describe, expect, it } from 'vitest';
import { circlesOf, entanglementsOf, type Import } from './import-circles.ts';

describe('circles of folders', () => {
  it('are found where no two files import each other', () => {
    const imports: Import[] = [
      ['api/identity/keys/keys.ts', 'api/users/audit.ts'],
      ['api/users/login.ts', 'api/identity/caller/caller.ts'],
    ];
    expect(circlesOf(imports)).toEqual([imports]);
  });

  it('are found within a folder, over several folders, once', () => {
    const imports: Import[] = [
      ['api/billing/account/data/data.ts', 'api/billing/mail/mail.ts'],
      ['api/billing/mail/mail.ts', 'api/billing/sync/sync.ts'],
      ['api/billing/sync/sync.ts', 'api/billing/account/account.ts'],
      ['api/app/app.ts', 'api/billing/billing.ts'],
    ];
    expect(circlesOf(imports)).toEqual([imports.slice(0, 3)]);
  });

  it('are none between a folder and the files beside it', () => {
    expect(
      circlesOf([
        ['api/users/users.module.ts', 'api/users/login/login.ts'],
        ['api/users/login/login.ts', 'api/users/user.ts'],
        ['api/users/login/login.ts', 'api/users/login/guests.ts'],
      ]),
    ).toEqual([]);
  });
});

describe('a folder and one within it', () => {
  const needed: Import = ['worker/rasters/resampling/window.ts', 'worker/rasters/raster.ts'];

  it('depend on each other by a file that one needs and that needs the other', () => {
    const back: Import[] = [
      ['worker/rasters/raster.ts', 'worker/rasters/blend.ts'],
      ['worker/rasters/blend.ts', 'worker/rasters/resampling/upscale.ts'],
    ];
    expect(entanglementsOf([needed, ...back])).toEqual([[needed, ...back]]);
  });

  it('are free to have files that declare what is shared, and others that assemble it', () => {
    const assembled: Import[] = [
      ['worker/rasters/resize.ts', 'worker/rasters/resampling/upscale.ts'],
      ['worker/rasters/resize.ts', 'worker/rasters/raster.ts'],
    ];
    expect(entanglementsOf([needed, ...assembled])).toEqual([]);
  });
});
