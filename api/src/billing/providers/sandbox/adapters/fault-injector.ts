import { Injectable } from '@nestjs/common';
import { ProviderUnavailable } from '../../port/payment-provider.js';

interface Gate {
  readonly reached: () => void;
  readonly released: Promise<void>;
}

/**
 * The line between the product and the company, which can be down or lose an answer, as lines do. Tests break it on
 * purpose; otherwise it only carries.
 */
@Injectable()
export class FaultInjector {
  private isDown = false;
  private answersToLose = 0;
  private gate: Gate | undefined;

  /** From now on nothing gets through. */
  disconnect(): void {
    this.isDown = true;
  }

  reconnect(): void {
    this.isDown = false;
  }

  /** The next request is carried out, and its answer is lost. */
  loseNextResponse(): void {
    this.answersToLose += 1;
  }

  /** The next request is carried out (`reached`), and its answer arrives when it is let go. */
  holdNextResponse(): { readonly reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.gate = { reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  }

  /** @throws ProviderUnavailable while the line is down, or when the answer is lost */
  async call<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    if (this.isDown) throw new ProviderUnavailable('the line to the sandbox is down');
    const { gate } = this;
    this.gate = undefined;
    const isLost = this.answersToLose > 0;
    if (isLost) this.answersToLose -= 1;
    const answer = await request();
    gate?.reached();
    await gate?.released;
    if (isLost) throw new ProviderUnavailable('the answer of the sandbox was lost');
    return answer;
  }
}
