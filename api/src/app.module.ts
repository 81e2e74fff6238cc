import { type DynamicModule, Module } from '@nestjs/common';
import { AuthConfig } from './identity/auth.config.js';
import { IdentityConfig } from './identity/identity.config.js';
import { IdentityModule } from './identity/identity.module.js';
import { JobsModule } from './jobs.module.js';
import { AppConfig } from './platform/config/app.config.js';
import type { Environment } from './platform/config/environment.js';
import { PlatformModule } from './platform/platform.module.js';
import { StorageConfig } from './storage/storage.config.js';
import { TasksModule } from './tasks/tasks.module.js';
import { UploadRoutesModule } from './upload-routes.module.js';
import { UsersModule } from './users/users.module.js';

@Module({})
export class AppModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const { runsJobs } = AppConfig.fromEnvironment(environment);
    // Capabilities read their own settings; bad ones stop the boot here, before anything has been opened.
    for (const config of [AuthConfig, IdentityConfig, StorageConfig]) config.fromEnvironment(environment);
    return {
      module: AppModule,
      imports: [
        PlatformModule.forEnvironment(environment),
        IdentityModule.forEnvironment(environment),
        UsersModule,
        TasksModule,
        UploadRoutesModule,
        ...(runsJobs ? [JobsModule] : []),
      ],
    };
  }
}
