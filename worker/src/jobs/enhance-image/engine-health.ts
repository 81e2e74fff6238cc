import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable } from '@nestjs/common';
import { Enhancer } from './enhancer.js';

@Injectable()
@ReadinessCheck({ name: 'engine' })
export class EngineHealth implements Dependency {
  constructor(private readonly enhancer: Enhancer) {}

  check(): void {
    if (!this.enhancer.isStarted) throw new Error('the inference process has not started');
  }
}
