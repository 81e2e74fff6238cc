import { type CaptchaVerdict, captchaRoutes, type RouteInput } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import {
  type CallHandler,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Injectable,
  Module,
  type NestInterceptor,
  Req,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { PaymentsModule } from '../payments/payments.module.js';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError, notConfigured } from '../platform/errors/app-error.js';
import { addressOf } from '../platform/http/address.js';
import { Input, Route, routeOf } from '../platform/http/route.decorator.js';
import { Captcha, CaptchaConfig, NoCaptcha, Recaptcha } from './captcha.js';
import { CaptchaGate, UnverifiedForms } from './captcha-gate.js';
import { CountriesConfig } from './countries.config.js';

/** Rejects payments from blocked countries, and new work from those without service. */
@Injectable()
class PaymentGate implements NestInterceptor {
  constructor(private readonly countries: CountriesConfig) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const route = routeOf(context);
    if (route?.takesMoney && this.countries.isBlocked(headers)) throw new AppError('billing.country_blocked');
    if (route?.enhances && !this.countries.hasService(headers)) throw new AppError('service.country_blocked');
    return next.handle();
  }
}

@Controller()
class CaptchaController {
  constructor(
    private readonly captcha: Captcha,
    private readonly config: CaptchaConfig,
    private readonly app: AppConfig,
  ) {}

  @Route(captchaRoutes.verifyCaptcha)
  verify(
    @Req() request: FastifyRequest,
    @Input() { body }: RouteInput<typeof captchaRoutes.verifyCaptcha>,
  ): Promise<CaptchaVerdict> {
    if (!this.config.isConfigured) throw notConfigured('a captcha');
    const address = addressOf(request, this.app.internalSecret);
    return this.captcha.verify({ token: body.recaptchaToken, action: 'verify', address });
  }
}

@Module({})
export class PaymentGateModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const captcha = CaptchaConfig.fromEnvironment(environment);
    return {
      module: PaymentGateModule,
      global: true,
      imports: [PaymentsModule],
      controllers: [CaptchaController],
      providers: [
        { provide: CaptchaConfig, useValue: captcha },
        { provide: Captcha, useClass: captcha.isConfigured ? Recaptcha : NoCaptcha },
        { provide: CountriesConfig, useValue: CountriesConfig.fromEnvironment(environment) },
        UnverifiedForms,
        { provide: APP_INTERCEPTOR, useClass: PaymentGate },
        { provide: APP_INTERCEPTOR, useClass: CaptchaGate },
      ],
      exports: [CountriesConfig, CaptchaConfig],
    };
  }
}
