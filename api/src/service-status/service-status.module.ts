import {
  overallState,
  SERVICE_COMPONENTS,
  type ServiceComponent,
  type ServiceStatus,
  serviceStatusRoutes,
} from '@clearframe/contract';
import { Controller, Module } from '@nestjs/common';
import { Route } from '../platform/http/route.decorator.js';
import { RunsModule } from '../runs/runs.module.js';
import { ServiceStatusRepository, type StoredComponent } from './service-status.repository.js';
import { GAP_SECONDS, ServiceWatch } from './service-watch.js';

/** Background work that has stopped measures nothing: what is sent would wait. */
const asSeen = ({ name, status, waitingSeconds, since, isRecent }: StoredComponent): ServiceComponent => ({
  name,
  status: isRecent || name === 'api' ? status : 'outage',
  waitingSeconds: isRecent ? waitingSeconds : null,
  since: since.toISOString(),
});

@Controller()
class ServiceStatusController {
  constructor(private readonly repository: ServiceStatusRepository) {}

  @Route(serviceStatusRoutes.getServiceStatus)
  async read(): Promise<ServiceStatus> {
    const stored = await this.repository.read(GAP_SECONDS);
    const components = SERVICE_COMPONENTS.map((name): ServiceComponent => {
      const found = stored.find((component) => component.name === name);
      if (found) return asSeen(found);
      return { name, status: name === 'api' ? 'operational' : 'outage', waitingSeconds: null, since: null };
    });
    return { status: overallState(components.map(({ status }) => status)), components };
  }
}

@Module({
  controllers: [ServiceStatusController],
  providers: [ServiceStatusRepository],
  exports: [ServiceStatusRepository],
})
export class ServiceStatusModule {}

/** Measures; omitted with `API_ROLE=http`. */
@Module({ imports: [RunsModule, ServiceStatusModule], providers: [ServiceWatch] })
export class ServiceWatchModule {}
