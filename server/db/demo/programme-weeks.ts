import type { moduleNames } from '#contract/specified-modules.ts';

type ModuleName = (typeof moduleNames)[number];

export interface WeekPlan {
  module: ModuleName;
  live: string;
  lab: string;
  selfPaced: string[];
  selfPacedModule?: ModuleName;
  assignment: string;
  assignmentType: string;
  /** Markdown. */
  instructions: string;
}

const week = (
  module: ModuleName,
  [live, lab, ...selfPaced]: [string, string, ...string[]],
  [assignment, assignmentType, ...instructions]: [string, string, ...string[]],
): WeekPlan => ({ module, live, lab, selfPaced, assignment, assignmentType, instructions: instructions.join('\n') });

/** Has what is taught in each of the sixteen weeks. Every named module has at least one week. */
export const weekPlans: WeekPlan[] = [
  week(
    'Energy Technology and Applications',
    [
      'How the Grid Works: Generation, Transmission, Distribution',
      'Lab: Single-Line Diagrams and Switchgear',
      'Electrical Safety Fundamentals (OSHA 10 preparation)',
    ],
    [
      'Trace a Kilowatt-Hour',
      'written_response',
      'Follow one kilowatt-hour **from a generator to a kitchen**.',
      '',
      '1. Name every voltage level on the way.',
      '2. Say where energy is lost, and roughly how much.',
      '3. Add one question that you could not answer.',
      '',
      'About 400 words.',
    ],
  ),
  week(
    'Energy Technology and Applications',
    ['Transformers, Feeders and Substations', 'Lab: Measuring Three-Phase Power', 'Solar, Storage and Inverter Basics'],
    [
      'Substation Walkdown Report',
      'project_submission',
      'Describe the substation of the site visit.',
      '',
      '- main equipment and its ratings',
      '- protection zones',
      '- **two** safety observations, with what you would change',
      '',
      '> Use the template from the reading; photos are welcome.',
    ],
  ),
  week(
    'Industry & Sector drivers',
    [
      'Who Runs the Grid: Utilities, ISOs and Regulators',
      'Site Visit: Regional Control Center',
      'Reading a Utility’s Integrated Resource Plan',
    ],
    [
      'Load Growth Brief',
      'written_response',
      'A data center of 150 MW asks for a connection in your county.',
      '',
      '### Write one page',
      '* Who decides?',
      '* What has to be built, and who pays?',
      '* What changes for the neighbours?',
    ],
  ),
  week(
    'Policy (Safety, Justice, and Incentives)',
    [
      'Energy Justice and the Clean Energy Incentives',
      'Workshop: Lockout/Tagout and Arc-Flash Boundaries',
      'Incentives for Efficiency and Storage',
    ],
    [
      'Job Safety Analysis: Padmount Transformer',
      'project_submission',
      'Fill in a job safety analysis for replacing a padmount transformer.',
      '',
      '| Step | Hazard | Control |',
      '| --- | --- | --- |',
      '| Isolate | Backfeed | Test, then ground |',
      '',
      'At least **eight steps**.',
    ],
  ),
  week(
    'Career Readiness',
    [
      'Career Paths in Power Systems',
      'Workshop: Résumé Clinic with Hiring Managers',
      'Writing for Engineers: Email, Log and Report',
      'Certification Roadmap: OSHA, NABCEP, NETA',
      'A Profile That Recruiters Find',
    ],
    [
      'Résumé, Second Draft',
      'written_response',
      'Hand in the second draft of your résumé.',
      '',
      '- one page',
      '- three results with **numbers**',
      '- your certificates with their dates',
    ],
  ),
  week(
    'Project Management/Project Coordination',
    [
      'Planning an Outage: Scope, Sequence, Risk',
      'Workshop: Gantt Charts for a Feeder Rebuild',
      'Introduction to Project Coordination',
    ],
    [
      'Outage Plan for Feeder 12',
      'project_submission',
      'Plan a four-hour outage of feeder 12.',
      '',
      'Include the switching order, the **point of no return** and the way back.',
    ],
  ),
  week(
    'Project Management/Project Coordination',
    ['Cost, Contracts and Change Orders', 'Workshop: Running a Stand-Up on Site', 'Spreadsheets for Project Controls'],
    [
      'Change Order Memo',
      'written_response',
      'The trench is 40 ft longer than drawn. Write the memo to the owner: cause, cost, days.',
    ],
  ),
  week(
    'Quality Assurance',
    [
      'Testing and Commissioning: What a Good Record Looks Like',
      'Lab: Insulation Resistance and Contact Resistance',
      'NETA Standards, a First Reading',
    ],
    [
      'Commissioning Checklist',
      'project_submission',
      'Write the checklist for a 480 V switchboard. Each line has a **measurable** limit.',
    ],
  ),
  week(
    'Field Service Engineering',
    [
      'Protective Relays: Pickup, Time Dial, Coordination',
      'Lab: Relay Testing with a Test Set',
      'Reading Event Records',
    ],
    [
      'Relay Event Analysis',
      'project_submission',
      'An event record of a feeder fault is in the reading.',
      '',
      '1. Which element operated, and when?',
      '2. Was it right?',
      '3. What would you set differently?',
    ],
  ),
  week(
    'Field Service Engineering',
    ['Troubleshooting Rotating Machines', 'Lab: Motor Control and Soft Starters', 'Thermography Level I Preview'],
    ['Service Report', 'written_response', 'Write the service report of the motor lab: complaint, cause, correction.'],
  ),
  week(
    'Electrical System Design',
    ['Short-Circuit and Load-Flow Studies', 'Lab: Modelling a Microgrid', 'Grounding and Bonding'],
    [
      'Microgrid One-Line',
      'project_submission',
      'Draw the one-line of the campus microgrid and explain **islanding** in ten sentences.',
    ],
  ),
  week(
    'Electrical System Design',
    [
      'Distribution Design for Electrification',
      'Workshop: Cable Sizing and Voltage Drop',
      'Codes: NEC Articles That You Will Use',
    ],
    [
      'Voltage Drop Calculation',
      'written_response',
      'Show the calculation for the 600 ft feeder of the workshop, with the code’s limit.',
    ],
  ),
  week(
    'Policy & Stakeholder Engagement',
    [
      'Siting, Permits and the People Next Door',
      'Role Play: A Public Hearing on a Transmission Line',
      'Listening Sessions: Methods That Work',
    ],
    [
      'Stakeholder Map',
      'project_submission',
      'Map the stakeholders of the line: interest, influence, **first conversation**.',
    ],
  ),
  week(
    'Case Management',
    [
      'Serving Customers: Affordability and Assistance Programs',
      'Workshop: Case Notes and Confidentiality',
      'Weatherization from First Call to Final Inspection',
    ],
    ['Case Plan', 'written_response', 'Write the plan for the household of the case study. No names.'],
  ),
  week(
    'Mock Interviews',
    ['Interviewing for Technical Roles', 'Mock Interviews with Employer Partners', 'The STAR Method, Practiced'],
    [
      'Three STAR Stories',
      'written_response',
      'Write three stories: situation, task, action, result. One of them is about **safety**.',
    ],
  ),
  {
    ...week(
      'Industry Projects',
      [
        'Capstone Reviews with Industry Partners',
        'Capstone Presentations',
        'Career Center: Offers, References and Next Steps',
      ],
      [
        'Capstone Report',
        'project_submission',
        'Hand in the report of your team’s capstone.',
        '',
        '- summary of one page',
        '- design and its limits',
        '- **what you would do next**',
      ],
    ),
    selfPacedModule: 'Career Center',
  },
];
