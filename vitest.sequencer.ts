import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They wait for locks to expire and an emulator to start; started last, one would run alone. */
const FIRST = ['tests/faults/', 'tests/e2e/login/firebase.test.ts'];

/** Vitest's order, the slowest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => FIRST.some((part) => moduleId.includes(part));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}
