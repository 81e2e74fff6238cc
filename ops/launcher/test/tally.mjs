/**
 * Part of vitest's JSON report.
 * @typedef {object} VitestReport
 * @property {boolean} success
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults by file
 */

/**
 * Counts tests. A file that could not be loaded counts as one failure, as does a run that failed for another reason (an
 * unhandled rejection, a missing report).
 * @param {VitestReport | null} report
 * @param {number | null} exitCode vitest's
 */
export function tally(report, exitCode) {
  if (!report) return { passed: 0, failed: 1 };
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  const isUnsuccessful = !report.success || exitCode !== 0;
  return { passed: report.numPassedTests, failed: failed === 0 && isUnsuccessful ? 1 : failed };
}
