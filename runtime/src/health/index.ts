import { inMilliseconds } from '@clearframe/contract';
import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnModuleInit,
  ServiceUnavailableException,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';

/** `name` is unique in a process. */
export interface ReadinessCheckOptions {
  readonly name: string;
  /** The process serves without it: the report becomes `degraded`, the status code stays 200. */
  readonly isOptional?: boolean;
}

/** The report shows its message. Those of other errors can name hosts. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

export interface Dependency {
  /** Rejects or throws while the dependency is unavailable. */
  check(): Promise<unknown> | unknown;
}

/** Declares a {@link Dependency} as a readiness check; `HealthModule.requiring` lists its name. */
export const ReadinessCheck = DiscoveryService.createDecorator<ReadinessCheckOptions>();

/** Token of the names of the checks that a process must declare. */
export const REQUIRED_CHECKS = Symbol('required readiness checks');

const CHECK_TIMEOUT_MS = inMilliseconds.seconds(2);

/** Body of `/readyz`. */
export interface ReadinessReport {
  /** `degraded`: an optional dependency is down. */
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly dependencies: Readonly<Record<string, 'up' | 'down'>>;
  /** Of dependencies that are down and say why. */
  readonly reasons?: Readonly<Record<string, string>>;
}

interface Check extends ReadinessCheckOptions {
  readonly dependency: Dependency;
}

@Injectable()
export class Readiness implements OnModuleInit {
  private checks: readonly Check[] | null = null;

  constructor(
    @Inject(REQUIRED_CHECKS) private readonly required: readonly string[],
    private readonly discovery: DiscoveryService,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /** @throws Error for a missing, duplicate or unlisted check */
  onModuleInit(): void {
    const checks = this.discovery.getProviders({ metadataKey: ReadinessCheck.KEY }).flatMap((wrapper): Check[] => {
      const options = this.discovery.getMetadataByDecorator(ReadinessCheck, wrapper);
      return options ? [{ ...options, dependency: wrapper.instance }] : [];
    });
    const list = (names: readonly string[]) => names.toSorted().join(', ') || 'none';
    const [declared, required] = [list(checks.map(({ name }) => name)), list(this.required)];
    if (declared !== required) throw new Error(`readiness checks: ${required} are required, ${declared} are declared`);
    this.checks = checks;
  }

  /** Runs all checks concurrently, for at most 2 s. `not_ready` during shutdown. */
  async report(): Promise<ReadinessReport> {
    const { checks } = this;
    if (!checks) return { status: 'not_ready', dependencies: {} };
    const states = new Map<string, 'up' | 'down'>();
    const reasons: Record<string, string> = {};
    const result = await this.health
      .check(checks.map((check) => () => this.run(check, states, reasons)))
      .catch((error: unknown) => {
        if (error instanceof ServiceUnavailableException) return { status: 'error' };
        throw error;
      });
    const status = ({ ok: 'ready', degraded: 'degraded' } as const)[result.status] ?? 'not_ready';
    const dependencies = Object.fromEntries(checks.map(({ name }) => [name, states.get(name) ?? 'down']));
    return { status, dependencies, ...(Object.keys(reasons).length > 0 && { reasons }) };
  }

  private async run(
    { name, isOptional, dependency }: Check,
    states: Map<string, 'up' | 'down'>,
    reasons: Record<string, string>,
  ) {
    const indicator = this.indicators.check(name);
    const { [name]: outcome } = await indicator
      .attempt(async () => {
        try {
          await dependency.check();
        } catch (error) {
          if (error instanceof NotReadyError) reasons[name] = error.message;
          throw error;
        }
      })
      .withTimeout(CHECK_TIMEOUT_MS);
    const isUp = outcome?.status === 'up';
    states.set(name, isUp ? 'up' : 'down');
    if (isUp) return indicator.up();
    // Without the error's message, which can name hosts.
    return isOptional ? indicator.degraded() : indicator.down();
  }
}

@Module({})
export class HealthModule {
  /** @param names of the readiness checks; the boot fails unless exactly these are declared */
  static requiring(...names: readonly string[]): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      // Failed checks are not logged: supervisors poll every few seconds.
      imports: [DiscoveryModule, TerminusModule.forRoot({ logger: false })],
      providers: [Readiness, { provide: REQUIRED_CHECKS, useValue: names }],
      exports: [Readiness],
    };
  }
}
