/**
 * The part of vitest's JSON report that is counted.
 * @typedef {object} VitestReport
 * @property {boolean} success
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults one for each file
 */

/**
 * Counts tests. A file that could not even be loaded has no tests and counts as one failure, and so does a run
 * that ended badly for a reason no test shows (an unhandled rejection, a report that was never written).
 * @param {VitestReport | null} report
 * @param {number | null} exitCode vitest's
 * @returns {{ passed: number, failed: number }}
 */
export function tally(report, exitCode) {
  if (!report) return { passed: 0, failed: 1 };
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  const endedBadly = !report.success || exitCode !== 0;
  return { passed: report.numPassedTests, failed: failed === 0 && endedBadly ? 1 : failed };
}
