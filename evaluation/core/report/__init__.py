"""The report: how far other qrels can stand in for people's.

``summary`` holds the key figures, ``sections`` the tables and figures of each question.
"""

from evaluation.core.report.summary import ComparedMeans, JudgedSet, ReportFrame, ReportRun, report_content

__all__ = ["ComparedMeans", "JudgedSet", "ReportFrame", "ReportRun", "report_content"]
