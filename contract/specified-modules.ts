/** DATA1-03 */
export const moduleNames = [
  'Energy Technology and Applications',
  'Industry & Sector drivers',
  'Policy (Safety, Justice, and Incentives)',
  'Career Readiness',
  'Project Management/Project Coordination',
  'Quality Assurance',
  'Field Service Engineering',
  'Electrical System Design',
  'Policy & Stakeholder Engagement',
  'Case Management',
  'Mock Interviews',
  'Industry Projects',
  'Career Center',
] as const;
